import type { Manifest } from './manifest.ts'

/** What whoever keeps a backup has to know of it. */
export function inWords({ files, at, secretKey }: Manifest, folder: string): string {
  const size = files.reduce((bytes, file) => bytes + file.bytes, 0)
  return [
    `The backup of ${at} is in ${folder} (${(size / 1e6).toFixed(1)} MB, ${files.length} files).`,
    `The key ${secretKey} that its secrets are sealed with is not part of it: keep DATAINTELL_SECRET_KEY, or the file`,
    'keys/secret.key of the data folder, in another place. It holds hashes of passwords: keep it from others.',
  ].join('\n')
}
