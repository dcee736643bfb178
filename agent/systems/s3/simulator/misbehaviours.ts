import type { ServerResponse } from 'node:http'
import { contents } from './answers.ts'

const opening = '<ListBucketResult><IsTruncated>false</IsTruncated>'
const manyKeys = Buffer.from(
  Array.from({ length: 1_000 }, (_, i) =>
    contents({ key: `key ${i}`, size: i, modified: 0, etag: 'f'.repeat(32) }, { isEncoded: true, withOwner: false }),
  ).join(''),
)

/** Answers of servers that are not stores, or are faulty. */
export const misbehaviours = {
  /** A page for people, as of a router, a proxy or the console of a store. */
  html(response: ServerResponse) {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><html><body>Sign in<br></body></html>')
  },
  /** The same as an error. */
  htmlError(response: ServerResponse) {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<html><body>Not found<br></body></html>')
  },
  json(response: ServerResponse) {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":[]}')
  },
  /** Takes the request and says nothing. */
  silent() {},
  /** Begins an answer and says nothing more. */
  stalled(response: ServerResponse) {
    response.writeHead(200, { 'content-length': 1_000 }).write(opening)
  },
  /** Ends the connection in the middle of an answer. */
  cutOff(response: ServerResponse) {
    response.writeHead(200, { 'content-length': 1_000 })
    response.write(opening, () => response.destroy())
  },
  /** An answer that is whole, of a document that is not. */
  halfDocument(response: ServerResponse) {
    response.writeHead(200).end(`${opening}<Contents><Key>a</Key>`)
  },
  /** A million keys in one page. */
  millionKeys(response: ServerResponse) {
    response
      .on('error', () => {})
      .writeHead(200)
      .write(opening)
    let pages = 0
    const more = () => {
      while (pages++ < 1_000) {
        if (!response.write(manyKeys)) return void response.once('drain', more)
      }
      response.end('</ListBucketResult>')
    }
    more()
  },
  /** Announces a gigabyte, and begins with it. */
  announcesGigabyte(response: ServerResponse) {
    response.writeHead(200, { 'content-length': 1024 ** 3 }).write(opening)
  },
  /** An error that comes as a success. */
  lateError(response: ServerResponse) {
    response.writeHead(200).end('<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Later</Message></Error>')
  },
  /** Says that there is more, and not where. */
  endless(response: ServerResponse) {
    response.writeHead(200).end('<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>')
  },
} satisfies Record<string, (response: ServerResponse) => void>
