/** The samples of our metrics in a scrape: values by name and labels, which are parsed as Prometheus does. */
export function scraped(text: string): Map<string, number> {
  const sample = /^dataintell_(\w+)(?:\{((?:\w+="(?:\\.|[^"\\\n])*",?)*)\})? (\S+)$/gm
  const lines = text
    .split('\n')
    .filter((line) => /^dataintell_(storage|snapshot|scan|folder|project|report)_/.test(line))
  const found = [...text.matchAll(sample)].filter(([, name = '']) =>
    /^(storage|snapshot|scan|folder|project|report)_/.test(name),
  )
  if (found.length !== lines.length) throw new Error(`${lines.length - found.length} samples can't be parsed`)
  return new Map(found.map(([, name = '', labels = '', value]) => [keyOf(name, ...labelsOf(labels)), Number(value)]))
}

/** Key of a sample by its name and the values of its labels. */
export const keyOf = (name: string, ...labels: string[]): string => JSON.stringify([name, ...labels])

const labelsOf = (text: string): string[] =>
  [...text.matchAll(/\w+="((?:\\.|[^"\\])*)"/g)].map(([, value = '']) =>
    value.replace(/\\(.)/g, (_, after: string) => (after === 'n' ? '\n' : after)),
  )
