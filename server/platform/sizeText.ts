const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB']

/** A number of bytes as text for mails: `9.2 TiB`. */
export function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1)
  const number = bytes / 1024 ** power
  return `${power === 0 ? Math.round(number) : number.toFixed(1)} ${units[power]}`
}
