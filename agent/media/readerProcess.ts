import { messageOf } from '../systems/system.ts'
import { readFacts } from './readFacts.ts'
import type { FromReader, ToReader } from './startMediaReader.ts'

/*
 * The process in which media files are read: see `startMediaReader.ts`. It gets one file after another, asks its parent for ranges of the
 * file, and sends its facts.
 */

const send = (message: FromReader) => process.send?.(message)
let give: ((bytes: Uint8Array) => void) | undefined

const read = (start: number, length: number): Promise<Uint8Array> => {
  const asked = Promise.withResolvers<Uint8Array>()
  give = asked.resolve
  send({ type: 'range', start, length })
  return asked.promise
}

process.on('disconnect', () => process.exit(0))
process.on('message', (message: ToReader) => {
  if (message.type === 'bytes') return give?.(message.bytes)
  readFacts({ size: message.size, read }, message.extension).then(
    (facts) => send({ type: 'facts', facts }),
    (error: unknown) => send({ type: 'failed', reason: messageOf(error) }),
  )
})
