import { inParallel } from '../../inParallel.ts'
import { partsAtOnce } from '../timing.ts'
import { isCompletedBefore } from '../unconfirmed.ts'
import { type Kit, type Part, partsOf, type Upload } from './upload.ts'
import { requireStatus, withRetries } from './uploadHost.ts'
import { FileFailed, type Source } from '../../../actions/sourceFile.ts'

const maxBlocks = 50_000
/** Blocks are not made smaller than this. */
const minBlockBytes = 1_024 * 1_024

/** Sends a file to Azure: a small one at once, others in blocks. Old versions of the service accept only smaller blocks. */
export function newAzureUpload(kit: Kit): Upload {
  const sent = new Set<number>()
  let blockBytes = kit.sizes.azureBlock
  let isSmall: boolean | undefined
  let wasListSent = false

  async function sendBlocks(source: Source, signal: AbortSignal): Promise<boolean> {
    const parts = partsOf(source.size, blockBytes, maxBlocks)
    let isTooLarge = false
    await inParallel(
      parts.filter(({ number }) => !sent.has(number)),
      partsAtOnce,
      async (part) => {
        if (isTooLarge) return
        if (!(await putBlock(kit, source, part, signal))) return void (isTooLarge = true)
        sent.add(part.number)
        kit.onProgress(sent.size * (parts[0]?.length ?? 0))
      },
    )
    if (isTooLarge) return false
    await source.check()
    await withRetries(kit.timing, signal, async (tries) => {
      const isRepeated = wasListSent
      wasListSent = true
      await putList(kit, { parts, isRepeated, tries }, signal)
    })
    return true
  }

  return {
    mayHaveArrived: () => wasListSent,
    async run(source, signal) {
      isSmall ??= source.size <= kit.sizes.azureSmall
      if (isSmall) {
        wasListSent = true
        if (await putBlob(kit, source, signal)) return
        isSmall = false
        wasListSent = false
      }
      while (!(await sendBlocks(source, signal))) {
        if (blockBytes <= minBlockBytes) throw new FileFailed('The storage refuses parts of 1 MiB as too large')
        blockBytes = Math.max(minBlockBytes, Math.ceil(blockBytes / 2))
        sent.clear()
      }
    },
  }
}

/** Sends the whole file. False if the storage refuses its size. */
const putBlob = (kit: Kit, source: Source, signal: AbortSignal): Promise<boolean> =>
  withRetries(kit.timing, signal, async (tries) => {
    const { url, method = 'PUT' } = await kit.addresses(signal, tries > 0)
    const headers = { 'x-ms-blob-type': 'BlockBlob' }
    const answer = await kit.host.send(
      { method, url, headers, body: { source, start: 0, length: source.size } },
      signal,
    )
    if (answer.statusCode === 413) return false
    requireStatus(answer, 201)
    return true
  })

const blockId = ({ number }: Part): string => Buffer.from(String(number).padStart(6, '0')).toString('base64')

/** Sends a block. False if the storage refuses its size. */
const putBlock = (kit: Kit, source: Source, part: Part, signal: AbortSignal): Promise<boolean> =>
  withRetries(kit.timing, signal, async (tries) => {
    const { url } = await kit.addresses(signal, tries > 0)
    const { start, length } = part
    const address = `${url}&comp=block&blockid=${encodeURIComponent(blockId(part))}`
    const answer = await kit.host.send({ method: 'PUT', url: address, body: { source, start, length } }, signal)
    if (answer.statusCode === 413) return false
    requireStatus(answer, 201)
    return true
  })

type List = { parts: Part[]; isRepeated: boolean; tries: number }

async function putList(kit: Kit, { parts, isRepeated, tries }: List, signal: AbortSignal): Promise<void> {
  const { url } = await kit.addresses(signal, tries > 0)
  const blocks = parts.map((part) => `<Latest>${blockId(part)}</Latest>`)
  const answer = await kit.host.send(
    {
      method: 'PUT',
      url: `${url}&comp=blocklist`,
      headers: { 'content-type': 'application/xml' },
      body: `<?xml version="1.0" encoding="utf-8"?><BlockList>${blocks.join('')}</BlockList>`,
    },
    signal,
  )
  if (!isCompletedBefore(answer.statusCode, isRepeated)) requireStatus(answer, 201)
}
