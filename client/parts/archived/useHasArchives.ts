import { groupOfType } from '#events/sources/kinds.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'

/** True if files can have an archive state: with the license, and an archive index among the storages. */
export function useHasArchives(volumes: readonly { type: string }[]): boolean {
  const isLicensed = useLicence()
  return isLicensed('archiwareP5') && volumes.some(({ type }) => groupOfType(type) === 'archive')
}
