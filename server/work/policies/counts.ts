/** Files and their bytes. */
export type Counts = { files: number; bytes: number }

export const sumOf = (counted: readonly Counts[]): Counts => ({
  files: counted.reduce((total, { files }) => total + files, 0),
  bytes: counted.reduce((total, { bytes }) => total + bytes, 0),
})
