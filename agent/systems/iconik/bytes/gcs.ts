import type { Answer } from '../../http/answer.ts'
import { UploadLost } from '../failures.ts'
import type { Source } from '../../../actions/sourceFile.ts'
import type { Kit, Upload } from './upload.ts'
import { detailOf, requireStatus, StorageAway, withRetries } from './uploadHost.ts'

/** State of a session: number of bytes that it has, unknown after a lost answer, or complete. */
type State = number | 'unknown' | 'complete'

/** Sends a file to Google Cloud Storage in a resumable session, which knows the bytes that it has. */
export function newGcsUpload(kit: Kit): Upload {
  let session: string | undefined
  let state: State = 0
  let wasLastChunkSent = false
  return {
    mayHaveArrived: () => wasLastChunkSent,
    async run(source, signal) {
      const url = (session ??= await startSession(kit, signal))
      while (state !== 'complete')
        state = await withRetries(kit.timing, signal, async () => {
          const known = state === 'unknown' ? await query(kit, url, source.size, signal) : state
          if (known === 'complete') return known
          const chunk = chunkAt(kit, source, known)
          if (chunk.isLast) await source.check()
          wasLastChunkSent ||= chunk.isLast
          state = 'unknown'
          state = stateIn(await kit.host.send({ method: 'PUT', url, ...chunk.request }, signal))
          if (state === 'complete') return state
          // Google may keep fewer bytes than it received, or none. Then it says so, and gets them again.
          if (state === 'unknown' || state <= known)
            throw new StorageAway('The storage does not keep the bytes that it receives')
          kit.onProgress(state)
          return state
        })
    },
  }
}

const startSession = (kit: Kit, signal: AbortSignal): Promise<string> =>
  withRetries(kit.timing, signal, async (tries) => {
    const { url, method = 'POST' } = await kit.addresses(signal, tries > 0)
    const headers = { 'x-goog-resumable': 'start' }
    const answer = await kit.host.send({ method, url, headers }, signal)
    requireStatus(answer, 200, 201)
    const { location, 'x-guploader-uploadid': id } = answer.headers
    if (location !== undefined) return new URL(location, url).href
    if (id === undefined) throw new StorageAway(`The storage did not start the upload: ${detailOf(answer)}`)
    return `${url}&upload_id=${encodeURIComponent(id)}`
  })

/** The next bytes: a whole chunk, or the last ones. */
function chunkAt({ sizes }: Kit, source: Source, start: number) {
  const { size } = source
  const length = Math.min(sizes.gcsChunk, size - start)
  const range = size === 0 ? '*' : `${start}-${start + length - 1}`
  const headers = { 'content-range': `bytes ${range}/${size}` }
  return { isLast: start + length === size, request: { headers, body: { source, start, length } } }
}

/** State of the session. One that has nothing yet does not show a range. */
async function query(kit: Kit, url: string, size: number, signal: AbortSignal): Promise<number | 'complete'> {
  const headers = { 'content-range': `bytes */${size}` }
  const state = stateIn(await kit.host.send({ method: 'PUT', url, headers }, signal))
  return state === 'unknown' ? 0 : state
}

function stateIn(answer: Answer): State {
  const { statusCode: status, headers } = answer
  if (status === 404 || status === 410) throw new UploadLost(detailOf(answer))
  requireStatus(answer, 200, 201, 308)
  if (status !== 308) return 'complete'
  const last = /^bytes=0-(\d+)$/.exec(headers['range'] ?? '')?.[1]
  return last === undefined ? 'unknown' : Number(last) + 1
}
