import { randomBytes } from 'node:crypto'
import { counted } from '#events/contract/counted.ts'
import { type OwnerAnswers, ownerFilesPath } from '#events/policies/ownerFiles.ts'
import type { Policy } from '#events/policies/policies.ts'
import { streamNames } from '#events/streams.ts'
import { linkTo, notifyWithSecret } from '#server/messages/notifications/index.ts'
import { hash } from '#server/platform/callers/session.ts'
import { dayOf } from '#server/platform/days.ts'
import { change } from '#server/platform/log/change.ts'
import { system, type Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict } from '#server/platform/problem.ts'
import { sizeText } from '#server/platform/sizeText.ts'
import { copyByOwner, findSelection, type OwnedFiles } from '#server/questions/selections/index.ts'
import { answersOf } from './answers.ts'
import { findAddresses } from './findAddresses.ts'

type OwnersOfRun = {
  runId: number
  selectionId: number
  policy: Pick<Policy, 'id' | 'name' | 'untouchedDays' | 'action'>
}
type Stores = Pick<Platform, 'config' | 'db' | 'clickhouse' | 'live'>

const dayMs = 24 * 3_600_000
/** Days after the end of a link until which its answers may become tags. */
const taggingDays = 7

/**
 * Sends each owner of files in a run's selection one email with a link to them; repeated for a run, it sends nothing more. Throws 409 before
 * anything is sent if emails can't have links, or the selection was dropped.
 */
export async function askOwners(stores: Stores, { runId, selectionId, policy }: OwnersOfRun): Promise<OwnerAnswers> {
  const { db } = stores
  const { action } = policy
  if (action.kind !== 'ask') throw new Error(`Policy ${policy.id} doesn't ask owners`)
  const before = await db.selectFrom('policyOwnerLinks').select('id').where('runId', '=', runId).executeTakeFirst()
  if (before) return answersOf(db, runId)
  const page = await linkTo(db, ownerFilesPath)
  if (page === '')
    conflict(
      'The email to the owners needs a link. Set "Application URL for links in emails" in the configuration, then approve again.',
    )
  const expiresAt = new Date(Date.now() + action.days * dayMs)
  const selection = await findSelection(db, selectionId)
  if (!selection) return conflict('The files of this run are no longer stored. Run the policy again.')
  const { id, owners } = await copyByOwner(stores, selection, new Date(expiresAt.getTime() + taggingDays * dayMs))
  const addresses = await findAddresses(
    db,
    owners.map(({ owner }) => owner),
    action.domain,
  )
  const link = { runId, policyId: policy.id, policy: policy.name, selectionId: id, expiresAt }
  await change(stores, system, ['policies'], async ({ trx, recordFact }) => {
    let asked = 0
    for (const owned of owners) {
      const address = addresses.get(owned.owner) ?? null
      const token = randomBytes(32).toString('base64url')
      const linkId = await addLink(trx, { ...link, ...owned, address, tokenHash: address && hash(token) })
      if (linkId === undefined || address === null) continue
      asked++
      const key = `policy-link-${linkId}`
      const mail = { key, subject: subjectOf(owned), text: textOf(owned, policy, expiresAt, page), secret: token }
      await notifyWithSecret(stores.config, trx, address, mail)
    }
    const withoutAddress = owners.length - asked
    const fact = { runId, owners: asked, withoutAddress, until: expiresAt.toISOString() }
    await recordFact(streamNames.policy(policy.id), { type: 'OwnersAsked', ...fact })
  })
  return answersOf(db, runId)
}

/** Undefined if another server added it at the same time. */
async function addLink(
  trx: Trx,
  row: Parameters<ReturnType<typeof linksOf>['values']>[0],
): Promise<number | undefined> {
  const added = await linksOf(trx)
    .values(row)
    .onConflict((on) => on.columns(['runId', 'owner']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return added?.id
}
const linksOf = (trx: Trx) => trx.insertInto('policyOwnerLinks')

const filesText = ({ files, bytes }: OwnedFiles) => `${counted(files, 'file')} (${sizeText(bytes)})`

const subjectOf = (owned: OwnedFiles): string => `Keep or release ${filesText(owned)}`

/** Text up to the secret of the link. The name of an owner may hold anything, also lines. */
const textOf = (owned: OwnedFiles, policy: OwnersOfRun['policy'], until: Date, page: string): string => `Hello,

${filesText(owned)} of ${shown(owned.owner)} were not used for ${counted(policy.untouchedDays, 'day')}. The policy ${policy.name} asks you what to do with them:

- Keep: the file stays where it is, and policies leave it alone.
- Release: you no longer need the file.

Nothing is deleted by your answer. Released files are moved to quarantine by a later policy, and can be put back until it deletes them.

You can answer until ${dayOf(until)}, without an account. If you don't answer, the administrators decide. Anyone with the link can answer for you, so don't forward this email.

${page}`

const shown = (owner: string): string => owner.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 100)
