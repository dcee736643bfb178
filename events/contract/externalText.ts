import { z } from 'zod'
import { cleanPath, cleanText } from './cleanText.ts'

/** Text that another system wrote, such as an error message. Longer text is cut. */
export const externalText = (length: number) => z.string().overwrite((text) => cleanText(text, length))

/** The path of an entry, as another system names it. */
export const externalPath = (length: number) => z.string().overwrite((path) => cleanPath(path, length))

/** A failure that another system reported: a sentence for people, and the system's own text. */
export const ExternalFailure = z.object({ message: externalText(4_096), debugMessage: externalText(4_096) })
