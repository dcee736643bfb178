import { type Dashboard, evolveDashboard, isDashboardEvent } from '#events/dashboard.ts'
import type { LiveEvent } from '#events/live.ts'

export type DashboardState = ReturnType<typeof keepDashboard>
const nothing: Dashboard = { indexingDate: null, storages: [], scans: [] }

/** The dashboard of the newest date, kept current by live events. `read` loads it from the database. */
export function keepDashboard(read: () => Promise<Dashboard>) {
  let current = nothing
  /** Events received during a read are applied again to its result: applying one twice is harmless. */
  let heard: LiveEvent[] = []
  let reading: Promise<void> | undefined
  let again = false

  const readAnew = async () => {
    do {
      again = false
      heard = []
      const found = await read()
      current = heard.reduce(fold, evolveDashboard(current, { type: 'dashboard', dashboard: found }))
    } while (again)
  }
  return {
    current: () => current,
    publish(event: LiveEvent) {
      current = fold(current, event)
      if (reading) heard.push(event)
    },
    /** Reads it again; a request during a read triggers another read, so no older state is shown. */
    refresh(): Promise<void> {
      if (reading) again = true
      return (reading ??= readAnew().finally(() => (reading = undefined)))
    },
  }
}

const fold = (dashboard: Dashboard, event: LiveEvent): Dashboard =>
  isDashboardEvent(event) ? evolveDashboard(dashboard, event) : dashboard
