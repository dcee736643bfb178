import { basePathOf, productName } from '#server/platform/config.ts'
import { configured } from '#server/access/configurations/index.ts'
import { readUrl } from '#server/platform/http/place/publicPlace.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Platform } from '#server/platform/platform.ts'
import { sizeText } from '#server/platform/sizeText.ts'

/** An attachment; without bytes if it could not be created. */
export type MailFile = { name: string; bytes: Uint8Array | undefined }

/** Maximum bytes of a mail's attachments: many servers accept mails of 10 MB, in which files are a third larger. */
const maxFileBytes = 5_000_000

/** Creates an attachment. If that fails, the mail is still sent without it. */
export async function makeMailFile(
  { log }: Pick<Platform, 'log'>,
  name: string,
  make: () => Promise<Uint8Array>,
): Promise<MailFile> {
  const bytes = await make().catch((error: unknown) => {
    log.error({ error, name }, 'could not create an attachment, sending the mail without it')
    return undefined
  })
  return { name, bytes }
}

/**
 * Stores the files of a bundle for the mails that name it, in the caller's transaction. Returns the mails' text about
 * them: attached files, missing ones with the reason, and the page of the product that has them. A bundle that already
 * exists stays unchanged.
 */
export async function attachFiles(trx: Trx, bundle: string, files: MailFile[], path: string): Promise<string> {
  let left = maxFileBytes
  const attached: { name: string; bytes: Buffer }[] = []
  const lines: string[] = []
  for (const { name, bytes } of files) {
    if (bytes && bytes.length <= left) {
      attached.push({ name, bytes: Buffer.from(bytes) })
      left -= bytes.length
    } else lines.push(`${name} is not attached: ${bytes ? tooLarge(bytes) : 'it could not be created'}.`)
  }
  if (attached.length > 0) {
    lines.unshift(attachedLine(attached))
    await trx
      .insertInto('mailFiles')
      .values(attached.map((file, position) => ({ ...file, bundle, position })))
      .onConflict((on) => on.doNothing())
      .execute()
  }
  const link = await linkTo(trx, path)
  return `\n${[...lines, link === '' ? `${productName} has more of it.` : `See ${link}`].join('\n')}\n`
}

const attachedLine = (files: readonly { name: string }[]): string =>
  `Attached: ${files.map(({ name }) => name).join(', ')}.`

/** The text of a mail that is sent without its files, because the mail server doesn't accept its size. */
export function textWithoutFiles(text: string, files: readonly { name: string }[]): string {
  const names = files.map(({ name }) => name).join(', ')
  const be = files.length === 1 ? 'is' : 'are'
  return text.replace(
    attachedLine(files),
    () => `${names} ${be} not attached: the mail server does not accept emails of this size.`,
  )
}

const tooLarge = ({ length }: Uint8Array): string =>
  `its size is ${sizeText(length)}, and attachments are limited to ${maxFileBytes / 1_000_000} MB in total`

/** A link to a page of the product for users; empty while the product's address is not configured. */
export async function linkTo(trx: Db | Trx, path: string): Promise<string> {
  const place = readUrl(await configured(trx, 'app.url'))
  return place ? `${place.origin}${basePathOf() ?? place.base}${path}` : ''
}
