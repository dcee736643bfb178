import { inflateSync } from 'node:zlib'

/** The text of each page of a document by `writePdf`, line by line as drawn. */
export function readPdf(bytes: Uint8Array): string[][] {
  const file = Buffer.from(bytes).toString('latin1')
  const pages = [...file.matchAll(/\/Type \/Page\b[^]*?\/Contents (\d+) 0 R/g)].map(([, number]) => Number(number))
  return pages.map((number) => linesOf(streamOf(file, number)))
}

function streamOf(file: string, number: number): string {
  const object = file.slice(file.indexOf(`\n${number} 0 obj`))
  const length = Number(/\/Length (\d+)/.exec(object)?.[1])
  const begin = object.indexOf('stream\n') + 'stream\n'.length
  return inflateSync(Buffer.from(object.slice(begin, begin + length), 'latin1')).toString('latin1')
}

/**
 * Letters are hexadecimal numbers with spacing between them. A line may be in pieces; all but its last end with a
 * blank.
 */
const linesOf = (stream: string): string[] =>
  [...stream.matchAll(/\[([^\]]*)\] TJ/g)]
    .map(([, letters = '']) =>
      [...letters.matchAll(/<([\da-f]*)>/gi)]
        .map(([, hexadecimal = '']) => new TextDecoder('windows-1252').decode(Buffer.from(hexadecimal, 'hex')))
        .join(''),
    )
    .reduce<string[]>((lines, piece) => {
      const before = lines.at(-1)
      return before?.endsWith(' ') ? [...lines.slice(0, -1), before + piece] : [...lines, piece]
    }, [])
