import { type Answer, isHtml, retryAfterMs } from '../http/answer.ts'
import { NotXml, readXml } from './readXml.ts'

/** An answer that is no success: what the store says of it, as far as it says something. */
export class Refusal extends Error {
  statusCode: number
  /** Such as NoSuchBucket; '' where the store does not say. */
  code: string
  /** Region to which the request should be sent, or for which it should be signed. */
  region: string
  host: string
  isHtml: boolean
  retryAfterMs: number | undefined
  /** When the store answered, by its own clock. */
  date: number

  constructor({ statusCode, headers, body }: Answer) {
    const text = Buffer.from(body).toString()
    const facts = factsIn(text)
    super(facts['Message'] ?? '')
    this.statusCode = statusCode
    this.code = facts['Code'] ?? ''
    this.region = headers['x-amz-bucket-region'] ?? facts['Region'] ?? ''
    this.host = facts['Endpoint'] ?? hostOf(headers['location'] ?? '')
    this.isHtml = isHtml(text, headers)
    this.retryAfterMs = retryAfterMs(headers['retry-after'])
    this.date = Date.parse(headers['date'] ?? '')
  }
}

/** The elements of an error that hold text alone; nothing where it is no XML. */
function factsIn(text: string): Record<string, string> {
  const facts: Record<string, string> = {}
  try {
    readXml(text, { open() {}, close: (name, value) => void (facts[name] ??= value.trim()) })
  } catch (error) {
    if (!(error instanceof NotXml)) throw error
  }
  return facts
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : '')
