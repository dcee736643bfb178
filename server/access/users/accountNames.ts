import { nameFault, normalName } from '#events/contract/names.ts'
import { checkUnique } from '#server/platform/crud/checkUnique.ts'
import { lockLog, type Trx } from '#server/platform/log/eventLog.ts'
import { invalid } from '#server/platform/problem.ts'
import { skeletonOf } from './skeleton.ts'

/** Names in the event log that are no accounts: the product itself, strangers, walls, agents, tokens of users. */
const reserved = ['system', 'schedule', 'not signed in', 'an unknown name'].map(skeletonOf)
const [wall = '', ...numbered] = ['wall', 'agent', 'schedule', 'user'].map(skeletonOf)
/** Forms of skeletons, whose digits may be letters. */
const reservedForms = [new RegExp(`^${wall}( |$)`), new RegExp(`^(${numbered.join('|')})-[\\dio]+$`), /, ?token\b/]

function isReserved(name: string): boolean {
  const skeleton = skeletonOf(name)
  return reserved.includes(skeleton) || reservedForms.some((form) => form.test(skeleton))
}

/**
 * Throws 400 for a name that a new or renamed account can't have: of another account, ignoring case, or one that looks
 * like it, and names that the event log has for others.
 */
export async function checkAccountName(trx: Trx, name: string, own?: number): Promise<void> {
  const fault = nameFault(name)
  if (fault) invalid('name', fault)
  if (isReserved(name)) invalid('name', 'is reserved for the event log')
  // One at a time: two accounts with names that look alike must not be added at the same moment.
  await lockLog(trx)
  await checkUnique(trx.selectFrom('users'), { value: name, own })
  const other = await lookAlike(trx, name, own)
  if (other !== undefined) invalid('name', `looks like ${other}, which already exists`)
}

/** Returns whether an account can't have the name that a single sign-on gives it. */
export async function isNameTaken(trx: Trx, name: string, own?: number): Promise<boolean> {
  if (isReserved(name)) return true
  await lockLog(trx)
  return (await lookAlike(trx, name, own)) !== undefined
}

/** Another account whose name is the same or looks alike. */
async function lookAlike(trx: Trx, name: string, own = 0): Promise<string | undefined> {
  const [skeleton, lower] = [skeletonOf(name), normalName(name).toLowerCase()]
  const others = await trx.selectFrom('users').select('name').where('id', '!=', own).execute()
  return others.find((other) => other.name.toLowerCase() === lower || skeletonOf(other.name) === skeleton)?.name
}
