import { NotXml, readXml } from './readXml.ts'

/** Reads the answer to ListBuckets. Throws `NotXml` for anything else. */
export function readBuckets(xml: string): { names: string[]; token: string | undefined } {
  const names: string[] = []
  let token = ''
  const parents: string[] = []
  readXml(xml, {
    open(name, depth) {
      parents[depth] = name
      if (depth === 1 && name !== 'ListAllMyBucketsResult') throw new NotXml(`<${name}> is not a list of buckets`)
    },
    close(name, text, depth) {
      if (depth === 4 && name === 'Name' && parents[3] === 'Bucket') names.push(text)
      else if (depth === 2 && name === 'ContinuationToken') token = text
    },
  })
  return { names, token: token === '' ? undefined : token }
}
