/** Receives the elements of a document: as they open, and as they close with the text directly in them. */
export type XmlListener = {
  /** `depth` of the root is 1. */
  open(name: string, depth: number): void
  close(name: string, text: string, depth: number): void
}

/** Tags and comments of a document. The longest list has 10,000 buckets; 1,000 keys have about 30,000 tags. */
const maxMarks = 200_000

/** A document that is no XML, or ends too early. */
export class NotXml extends Error {}

/**
 * Reads the XML of stores in one pass, an element at a time. It knows what they send and the SDK's own reader takes: elements,
 * attributes (passed over), text, entities, CDATA, comments. Nothing is fetched and no entity is declared. Throws `NotXml`.
 */
export function readXml(xml: string, listener: XmlListener): void {
  const open: string[] = []
  let at = startOfRoot(xml)
  let text = ''
  for (let marks = 0; ; marks++) {
    if (marks > maxMarks) throw new NotXml(`The document has more than ${maxMarks.toLocaleString('en')} tags`)
    const tag = xml.indexOf('<', at)
    if (tag < 0) throw new NotXml('The document ends too early')
    if (tag > at) text += textOf(xml.slice(at, tag))
    const kind = xml.charCodeAt(tag + 1)
    if (kind === slash) {
      const end = endOf(xml, '>', tag)
      const name = xml.slice(tag + 2, end)
      if (name !== open.at(-1) && name.trim() !== open.at(-1)) throw new NotXml(`<${open.at(-1)}> is not closed`)
      listener.close(open.pop() as string, text, open.length + 1)
      text = ''
      at = end + 1
    } else if (kind === question) {
      at = endOf(xml, '?>', tag) + 2
    } else if (kind === exclamation) {
      at = endOfMarkup(xml, tag)
      if (xml.startsWith('<![CDATA[', tag)) text += xml.slice(tag + 9, at - 3)
    } else {
      const end = endOfTag(xml, tag)
      const isEmpty = xml.charCodeAt(end - 1) === slash
      const name = nameIn(xml, tag + 1, isEmpty ? end - 1 : end)
      listener.open(name, open.length + 1)
      if (isEmpty) listener.close(name, '', open.length + 1)
      else open.push(name)
      text = ''
      at = end + 1
    }
    if (open.length === 0) return
  }
}

const [slash, question, exclamation] = [0x2f, 0x3f, 0x21]

function endOf(xml: string, mark: string, from: number): number {
  const end = xml.indexOf(mark, from)
  if (end < 0) throw new NotXml('The document ends too early')
  return end
}

/** Behind a comment or CDATA. */
const endOfMarkup = (xml: string, from: number): number => {
  if (xml.startsWith('<!--', from)) return endOf(xml, '-->', from + 4) + 3
  if (xml.startsWith('<![CDATA[', from)) return endOf(xml, ']]>', from + 9) + 3
  throw new NotXml('The document has markup that stores do not send')
}

/** The '>' of an opening tag; one in the value of an attribute is not it. */
function endOfTag(xml: string, from: number): number {
  let end = endOf(xml, '>', from)
  for (let quote = firstQuote(xml, from, end); quote >= 0; quote = firstQuote(xml, quote, end)) {
    const closing = endOf(xml, xml[quote] as string, quote + 1)
    if (closing > end) end = endOf(xml, '>', closing)
    quote = closing + 1
  }
  return end
}

function firstQuote(xml: string, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const character = xml.charCodeAt(at)
    if (character === 0x22 || character === 0x27) return at
  }
  return -1
}

function nameIn(xml: string, from: number, to: number): string {
  for (let at = from; at < to; at++) if (xml.charCodeAt(at) <= 0x20) return xml.slice(from, at)
  if (to === from) throw new NotXml('An element has no name')
  return xml.slice(from, to)
}

/** Index of the root, after a declaration, comments and a document type. */
function startOfRoot(xml: string): number {
  const before = /^\uFEFF?(?:\s|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\][^>]*)?>)*/i.exec(xml)
  const start = before?.[0].length ?? 0
  if (xml[start] !== '<' || !/[A-Za-z_]/.test(xml[start + 1] ?? '')) throw new NotXml('The document has no root')
  return start
}

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** Text between tags: line ends are one character, and what only lays out the document is nothing. */
function textOf(raw: string): string {
  const text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw
  if (text.includes('\n') && text.trim() === '') return ''
  if (!text.includes('&')) return text
  // Every eTag has two of these and nothing else.
  const quoted = text.replaceAll('&quot;', '"')
  if (!quoted.includes('&')) return quoted
  const decoded = text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]\w{0,30}));/gi, (_, hex, decimal, name) =>
    name
      ? (entities.get(name) ?? '')
      : String.fromCodePoint(Math.min(parseInt(hex ?? decimal, hex ? 16 : 10), 0x10ffff)),
  )
  // Half a character can be neither stored nor requested.
  return decoded.toWellFormed()
}
