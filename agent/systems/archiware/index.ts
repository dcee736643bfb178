import type { PlanOfServer } from '#events/sources/archiwareQuestion.ts'
import type { ArchiwareConnection, ArchiwareOrder } from '#events/sources/archiwares.ts'
import { type OpenedSystem, ScanFailed } from '../system.ts'

/** Opens an archive index. Throws the reason why it can't be scanned. */
export async function openArchiware({ index }: ArchiwareOrder, _: { signal: AbortSignal }): Promise<OpenedSystem> {
  throw new ScanFailed(`${index} can't be scanned by this version`)
}

/** Names of the archive indexes of a P5 server, in order. An error may have a `debugMessage`: what P5 answered. */
export async function namesOfIndexes({ url }: ArchiwareConnection, _: AbortSignal): Promise<string[]> {
  throw new ScanFailed(`${url} can't be reached by this version`)
}

/** Archive plans of a P5 server. Fails as `namesOfIndexes` does. */
export async function plansOf({ url }: ArchiwareConnection, _: AbortSignal): Promise<PlanOfServer[]> {
  throw new ScanFailed(`${url} can't be reached by this version`)
}

/** Names of the clients of a P5 server, in order. Fails as `namesOfIndexes` does. */
export async function clientsOf({ url }: ArchiwareConnection, _: AbortSignal): Promise<string[]> {
  throw new ScanFailed(`${url} can't be reached by this version`)
}
