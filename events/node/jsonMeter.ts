/** An answer that is longer than it can be; the message says how. */
export class TooLong extends Error {}

/** Limits of JSON from outside: levels of lists and objects, and the number of all items, fields and containers. */
export type JsonLimits = { depth: number; values: number }

export const defaultJsonLimits: JsonLimits = { depth: 64, values: 500_000 }

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [list, listEnd, object, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d]
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/**
 * Measures JSON while it arrives, before anything of it is parsed: one that exceeds a limit costs no more than its first part. Bodies that
 * begin as neither a list nor an object have no limit.
 */
export function newJsonMeter({ depth: maxDepth, values: maxValues }: JsonLimits) {
  let isJson: boolean | undefined
  let depth = 0
  let values = 0
  let isInText = false
  let isEscaped = false

  function begin(bytes: Uint8Array): void {
    const first = bytes.find((byte) => !isSpace(byte))
    if (first !== undefined) isJson = first === list || first === object
  }
  function addInText(byte: number): void {
    if (isEscaped) isEscaped = false
    else if (byte === backslash) isEscaped = true
    else if (byte === quote) isInText = false
  }
  function addByte(byte: number): void {
    if (byte === quote) isInText = true
    else if (byte === comma) values++
    else if (byte === list || byte === object) {
      values++
      depth++
    } else if (byte === listEnd || byte === objectEnd) depth--
  }
  return {
    /** Measures the next bytes. Throws `TooLong`. */
    add(bytes: Uint8Array): void {
      if (isJson === undefined) begin(bytes)
      if (!isJson) return
      for (let at = 0; at < bytes.length; at++) {
        if (isInText) addInText(bytes[at] as number)
        else addByte(bytes[at] as number)
        if (values > maxValues) throw new TooLong(`More than ${maxValues.toLocaleString('en')} values`)
        if (depth > maxDepth) throw new TooLong(`Lists and objects in more than ${maxDepth} levels`)
      }
    },
  }
}

/** Measures whole JSON. Throws `TooLong`. */
export const measureJson = (bytes: Uint8Array, limits = defaultJsonLimits): void => newJsonMeter(limits).add(bytes)
