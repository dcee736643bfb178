import { z } from 'zod'
import { textOf } from '../../http/answer.ts'
import { Refusal, UploadLost } from '../failures.ts'
import { FileFailed, sha1Of, type Source } from '../../../actions/sourceFile.ts'
import { isCompletedBefore } from '../unconfirmed.ts'
import { type Kit, type Part, partsOf, type Upload } from './upload.ts'
import { detailOf, requireStatus, withRetries } from './uploadHost.ts'

const maxParts = 10_000

const Started = z.object({
  upload_file_id: z.string().nullish(),
  upload_url: z.string().nullish(),
  authorization_token: z.string().nullish(),
  error: z.string().nullish(),
})

/** Sends a file to Backblaze B2, a large one in parts. Every part has its checksum, for which it is read twice. */
export function newB2Upload(kit: Kit): Upload {
  let isSmall = false
  const large = newLargeFile(kit)
  return {
    mayHaveArrived: () => isSmall || large.wasFinishSent(),
    async run(source, signal) {
      if (source.size > kit.sizes.b2Small) return large.run(source, signal)
      isSmall = true
      await putFile(kit, source, signal)
    },
  }
}

/** An address of B2 accepts nothing after a failure, so that each try has a new one. */
const putFile = (kit: Kit, source: Source, signal: AbortSignal): Promise<void> =>
  withRetries(kit.timing, signal, async (tries) => {
    const sha1 = await sha1Of(source, 0, source.size)
    const { url, method = 'POST', token, filename } = await kit.addresses(signal, tries > 0)
    const headers = {
      authorization: keyOfB2(token),
      'x-bz-file-name': encodeURIComponent(filename).replaceAll('%2F', '/'),
      'x-bz-content-sha1': sha1,
      'content-type': 'b2/x-auto',
    }
    const body = { source, start: 0, length: source.size }
    requireStatus(await kit.host.send({ method, url, headers, body }, signal), 200)
  })

/** Keys of B2 have no scheme, unlike the sign-in of another server. */
function keyOfB2(token: string): string {
  if (!/^[\w.+/=:-]{1,2000}$/.test(token))
    throw new FileFailed('Iconik returned a key for the upload that is none of B2')
  return token
}

type Address = { id: string; url: string; token: string }

function newLargeFile(kit: Kit) {
  const sha1s: string[] = []
  let address: Address | undefined
  let wasStartSent = false
  let wasFinishSent = false

  /** Starts the large file, or requests another address for it. One whose id was lost is removed first. */
  async function newAddress(signal: AbortSignal): Promise<Address> {
    if (wasStartSent && !address) await kit.cleanUp(signal)
    wasStartSent = true
    const body = address ? { upload_file_id: address.id } : {}
    const answer = await kit.call({ method: 'POST', path: 'multipart/b2/start/', body }, Started, signal)
    const { upload_file_id: id, upload_url: url, authorization_token: token, error } = answer
    if (!id || !url || !token) throw new FileFailed(`Iconik can't start the upload to B2: ${error ?? 'no address'}`)
    return { id, url, token }
  }

  const putPart = (source: Source, { number, start, length }: Part, signal: AbortSignal): Promise<string> =>
    withRetries(kit.timing, signal, async (tries) => {
      const { url, token } = (address = address && tries === 0 ? address : await newAddress(signal))
      const sha1 = await sha1Of(source, start, length)
      const headers = { authorization: keyOfB2(token), 'x-bz-part-number': String(number), 'x-bz-content-sha1': sha1 }
      const answer = await kit.host.send({ method: 'POST', url, headers, body: { source, start, length } }, signal)
      if (/large file does not exist|no active upload/i.test(textOf(answer))) throw new UploadLost(detailOf(answer))
      requireStatus(answer, 200)
      return sha1
    })

  return {
    wasFinishSent: () => wasFinishSent,
    async run(source: Source, signal: AbortSignal): Promise<void> {
      const parts = partsOf(source.size, kit.sizes.b2Part, maxParts)
      for (const part of parts.slice(sha1s.length)) {
        sha1s.push(await putPart(source, part, signal))
        kit.onProgress(part.start + part.length)
      }
      await source.check()
      const isRepeated = wasFinishSent
      wasFinishSent = true
      const body = { upload_file_id: address?.id, sha1_list: sha1s }
      await kit
        .call({ method: 'POST', path: 'multipart/b2/finish/', body }, z.unknown(), signal)
        .catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error
          if (!isCompletedBefore(error.status, isRepeated)) throw new UploadLost(error.message)
        })
    },
  }
}
