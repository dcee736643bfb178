import type { ColumnType, Generated } from 'kysely'
import type { ActorKind } from '#events/event-log/calls.ts'
import type { DestinationKind, EventTopic } from '#events/event-log/destinations.ts'

/** Tables of the event log, its followers in this product, and the systems that receive it. */
export type LogTables = {
  events: {
    position: Generated<number>
    stream: string
    version: number
    type: string
    data: ColumnType<{ type: string; at: string }, string, never>
    evolveVersion: number
    actor: string
    /** Null in events of earlier versions. */
    actorKind: ActorKind | null
    actorId: number | null
    address: string | null
    at: ColumnType<Date, string, never>
  }
  followers: { name: string; position: Generated<number> }
  eventDestinations: {
    id: Generated<number>
    name: string
    kind: DestinationKind
    /** The visible part of the address; `access` has the whole one and the secret, sealed. */
    address: string
    access: string
    topics: EventTopic[]
    authority: string | null
    header: string | null
    /** The last accepted event. */
    position: number
    /** Events after it, up to `batchTo`, as they are sent until they are accepted. */
    batch: string | null
    batchKey: string | null
    batchTo: number | null
    maxEvents: Generated<number>
    confirms: Generated<boolean>
    sentAt: Date | null
    tries: Generated<number>
    nextTryAt: Generated<Date>
    error: string | null
    lost: Generated<number>
    lostReason: string | null
  }
}
