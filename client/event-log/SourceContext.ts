import { createContext, use } from 'react'
import { type Source, server } from './source.ts'

/** Where the screen reads its events. */
export const SourceContext = createContext<Source>(server)
export const useSource = (): Source => use(SourceContext)
