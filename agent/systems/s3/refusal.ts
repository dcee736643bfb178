import type { Answer } from '../http/answer.ts'
import { Refusal } from '../http/refusal.ts'
import { NotXml, readXml } from './readXml.ts'

/** A refusal of a store, with the facts of its XML. The message is the store's own. */
export class StoreRefusal extends Refusal {
  /** Region to which the request should be sent, or for which it should be signed. */
  region: string
  host: string

  constructor(answer: Answer) {
    super(answer)
    const facts = factsIn(this.text)
    this.message = facts.get('Message') ?? ''
    this.code = facts.get('Code') ?? ''
    this.region = answer.headers['x-amz-bucket-region'] ?? facts.get('Region') ?? ''
    this.host = facts.get('Endpoint') ?? hostOf(answer.headers['location'] ?? '')
  }
}

/** The elements of an error that hold text alone; nothing where it is no XML. */
function factsIn(text: string): Map<string, string> {
  const facts = new Map<string, string>()
  try {
    readXml(text, { open() {}, close: (name, value) => void (facts.has(name) || facts.set(name, value.trim())) })
  } catch (error) {
    if (!(error instanceof NotXml)) throw error
  }
  return facts
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : '')
