import { z } from 'zod'
import { type Capacity, ScanFailed, StoreBusy } from '../system.ts'
import type { Client } from './client.ts'

/** Namespaces of an account: its own folder is in the space of a team if they differ. */
const RootInfo = z.object({ root_namespace_id: z.string(), home_namespace_id: z.string() })
const Account = z.object({
  account_id: z.string(),
  team: z.object({ id: z.string() }).nullish(),
  root_info: RootInfo.optional(),
})
export type Account = z.infer<typeof Account>

export const readAccount = (client: Client, signal: AbortSignal): Promise<Account> =>
  client.call('users/get_current_account', null, { read: Account, signal })

/** Namespace of the team space of an account; undefined if it has none. */
export function teamSpaceOf({ root_info: root }: Account): string | undefined {
  return root && root.root_namespace_id !== root.home_namespace_id ? root.root_namespace_id : undefined
}

const Allocation = z.discriminatedUnion('.tag', [
  z.object({ '.tag': z.literal('individual'), allocated: z.number() }),
  z.object({
    '.tag': z.literal('team'),
    allocated: z.number(),
    used: z.number(),
    user_within_team_space_allocated: z.number().default(0),
  }),
])
const Usage = z.object({ used: z.number(), allocation: Allocation })

/** A member of a team who has no limit of their own fills the space of the team, as all its members do. */
export async function readCapacity(client: Client, signal: AbortSignal): Promise<Capacity | undefined> {
  try {
    const account = await readAccount(client, signal)
    const { used, allocation } = await client.call('users/get_space_usage', null, { read: Usage, signal })
    const ownLimit = allocation['.tag'] === 'team' ? allocation.user_within_team_space_allocated : allocation.allocated
    const isShared = allocation['.tag'] === 'team' && ownLimit === 0
    const [total, taken] = isShared ? [allocation.allocated, allocation.used] : [ownLimit, used]
    if (total === 0) return undefined
    const whose = isShared ? (account.team?.id ?? account.account_id) : account.account_id
    return { total, used: taken, free: Math.max(0, total - taken), fileSystem: `Dropbox ${whose}` }
  } catch (error) {
    // A scan is worth as much without it.
    if (error instanceof ScanFailed || error instanceof StoreBusy) return undefined
    throw error
  }
}
