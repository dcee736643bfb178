import { useRemote } from '#client/app/remote.ts'
import type { ItemRule } from '#client/parts/actions/wizard/validItems.ts'
import {
  type ArchiwareClient,
  archiwareClients,
  type ArchiwarePlan,
  archiwarePlans,
} from '#events/sources/archiwares.ts'
import { groupOfType } from '#events/sources/kinds.ts'

export const startFailure = 'Something went wrong while trying to start the archive job. Please try again.'

export const archivable: ItemRule = {
  acceptsVolume: ({ type }) => groupOfType(type) === 'file',
  text: 'Only files and folders of file storages can be archived.',
}

export const restorable: ItemRule = {
  acceptsVolume: ({ type }) => groupOfType(type) === 'archive',
  text: 'Only files and folders of Archiware P5 indexes can be restored.',
}

export const usePlans = () => useRemote(archiwarePlans, {})

/** Clients of the P5 servers with these credentials, or of all, each once. */
export function useClients(credentialsId?: number) {
  const clients = useRemote(archiwareClients, {})
  const own = clients.data?.filter((client) => credentialsId === undefined || client.credentialsId === credentialsId)
  return { ...clients, data: own && [...new Map(own.map((client) => [clientKey(client), client])).values()] }
}

/** The choice of a key; without one, the only choice if there are no others. */
export const chosenOf = <T>(
  choices: readonly T[] | undefined,
  keyOf: (choice: T) => string,
  key: string,
): T | undefined => choices?.find((choice) => keyOf(choice) === key) ?? (choices?.length === 1 ? choices[0] : undefined)

/** Identifies a plan; servers may have plans of the same ID. */
export const planKey = ({ planId, credentialsId, server }: ArchiwarePlan): string =>
  `${credentialsId} ${server.id} ${planId}`
export const clientKey = ({ clientName, credentialsId }: ArchiwareClient): string => `${credentialsId} ${clientName}`

/** Items that the plan deletes after archiving, as words of a sentence; undefined for none. */
export function deletedBy({ deleteFiles, deleteAll }: ArchiwarePlan): string | undefined {
  if (deleteAll) return 'archived files and folders'
  return deleteFiles ? 'archived files' : undefined
}
