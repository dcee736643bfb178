import type { PolicyAction, PolicySearch } from '#events/policies/policies.ts'
import type { PolicyRun } from '#events/policies/runs.ts'
import type { Simulation } from '#events/policies/simulations.ts'
import { counted, percentText } from '#client/ui/text/count.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'

/** Input of the list of all policies; a product has few. */
export const allPolicies = { query: { size: 1_000 } }

/** `12 files, 41.0 TiB` */
export const amountOf = ({ files, bytes }: { files: number; bytes: number }, base: SizeBase): string =>
  `${counted(files, 'file')}, ${sizeWords(bytes, base)}`

/** `isReversible`: the files stay on their storage, or can be put back. */
type Act = { verb: string; effect: string; isReversible: boolean }

const acts: Record<Exclude<PolicyAction['kind'], 'tag' | 'ask' | 'quarantine'>, Act> = {
  nothing: { verb: 'Count', effect: 'Nothing happens to the files.', isReversible: true },
  archive: {
    verb: 'Archive',
    effect: 'Archiware P5 archives the files. Its plan decides if they stay on their storage.',
    isReversible: false,
  },
  transfer: {
    verb: 'Transfer',
    effect: 'The transfer service copies or moves the files to the target of the policy.',
    isReversible: false,
  },
  store: { verb: 'Store', effect: 'Quantum StorNext stores the files on tape.', isReversible: false },
  upload: {
    verb: 'Upload',
    effect: 'Iconik gets copies of the files. They stay on their storage.',
    isReversible: true,
  },
}

/** Verb of a run, and what happens to its files once it is approved. */
export function actOf({ kind }: Pick<PolicyRun, 'kind'>, action: PolicyAction): Act {
  if (kind === 'delete')
    return {
      verb: 'Delete',
      effect: 'The files are deleted from quarantine. No one can put them back.',
      isReversible: false,
    }
  const isReversible = true
  if (action.kind === 'tag')
    return { verb: 'Tag', effect: `The files get the tag ${action.tag}. They stay where they are.`, isReversible }
  if (action.kind === 'ask') {
    const days = counted(action.days, 'day')
    const effect = `Each owner gets an email with a page of their files, on which they can answer for ${days}.`
    return { verb: 'Ask about', effect, isReversible }
  }
  if (action.kind !== 'quarantine') return acts[action.kind]
  const moved = 'The files move to a hidden folder of their own storage, from which you can put them back.'
  const days = action.deleteAfterDays
  const effect = days === null ? moved : `${moved} They can be deleted after ${counted(days, 'day')}.`
  return { verb: 'Quarantine', effect, isReversible }
}

/** A trial on the past: a search, and the action, which decides on which storages it could have acted. */
export type Tried = { search: PolicySearch; action: PolicyAction['kind'] }
export type TriedAge = Simulation['ages'][number]

type Freed = TriedAge['total']

/** Share of bytes that were used again within days, of those that the policy would have acted on; undefined while these days aren't over. */
export function regretShare({ files, regret }: Freed, within: keyof Freed['regret']): number | undefined {
  const { known, knownAgain } = regret[within]
  if (known.bytes > 0) return knownAgain.bytes / known.bytes
  return known.files > 0 || files === 0 ? 0 : undefined
}

/** The same as text. */
export function regretText(freed: Freed, within: keyof Freed['regret']): string {
  const share = regretShare(freed, within)
  return share === undefined ? 'not known yet' : percentText(share)
}

/** The result of a trial in a sentence. */
export function trialSentence({ from, to }: Pick<Simulation, 'from' | 'to'>, age: TriedAge, base: SizeBase): string {
  const { days, total, projects, owners } = age
  const untouched = `Untouched for ${counted(days, 'day')}`
  if (total.files === 0) return `${untouched} would have freed nothing between ${from} and ${to}.`
  const freed = `${untouched} would have freed ${sizeWords(total.bytes, base)} between ${from} and ${to}`
  const again = total.regret[90]
  const share = regretShare(total, 90)
  if (share === undefined && again.files === 0)
    return `${freed}; how much of it is used again within 90 days isn't known yet.`
  const open = total.files - again.known.files
  const note = share !== undefined && open > 0 ? ` This leaves out ${counted(open, 'file')} from the last 90 days.` : ''
  if (share !== undefined && again.knownAgain.files === 0)
    return `${freed}; none of it was used again within 90 days.${note}`
  const [first] = [...projects, ...owners.map(({ owner: name, ...counts }) => ({ name, ...counts }))].toSorted(
    (one, other) => other.bytes - one.bytes,
  )
  const by = first && `, ${first.bytes > again.bytes / 2 ? 'most' : 'the largest part'} of it by ${first.name}`
  const part = share === undefined ? sizeWords(again.bytes, base) : percentText(share)
  return `${freed}; ${part} of it was used again ${share === undefined ? 'so far' : 'within 90 days'}${by ?? ''}.${note}`
}
