import { randomUUID } from 'node:crypto'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { newRequests, type Requests } from '../scan/pages/requests.ts'
import { joinServer } from '../scan/serverShares.ts'
import type { PagedSystem } from '../systems/system.ts'

/** Requests of a scan to a server that no other scan uses. */
export const requestsOf = (system: PagedSystem, order: Pick<ScanOrder, 'pace'> = {}): Requests =>
  newRequests(order, system, joinServer(randomUUID()))
