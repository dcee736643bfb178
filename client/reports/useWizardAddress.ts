import { useQuery } from '#client/app/address.ts'

/** Start of a new report: a template, or the criteria of a search as JSON. */
export type WizardStart = { ready?: string | undefined; criteria?: string | undefined }

/** Wizard state in the URL, and functions to open and close it. */
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
