import { useQuery } from '#client/app/address.ts'

/** What a new report begins with: one that is ready, or conditions of a search, as JSON. */
export type WizardStart = { ready?: string | undefined; criteria?: string | undefined }

/** The wizard of a new report, while the address says that it is open; how to open it, and how to close it. */
export function useWizardAddress(): [
  start: WizardStart | undefined,
  begin: (start?: WizardStart) => void,
  end: () => void,
] {
  const [query, change] = useQuery()
  const start =
    query.get('wizard') === 'new'
      ? { ready: query.get('ready') ?? undefined, criteria: query.get('criteria') ?? undefined }
      : undefined
  const begin = ({ ready }: WizardStart = {}) =>
    change((query) => {
      query.set('wizard', 'new')
      if (ready !== undefined) query.set('ready', ready)
    })
  const end = () =>
    change((query) => ['wizard', 'ready', 'criteria'].forEach((name) => query.delete(name)), { replace: true })
  return [start, begin, end]
}
