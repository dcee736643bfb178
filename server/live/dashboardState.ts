import { type Dashboard, evolveDashboard, isDashboardEvent } from '#events/dashboard.ts'
import type { LiveEvent } from '#events/live.ts'

export type DashboardState = ReturnType<typeof keepDashboard>
const nothing: Dashboard = { indexingDate: null, storages: [], scans: [] }

/** The dashboard of the newest date, folded from what is heard. `read` gives what the database holds. */
export function keepDashboard(read: () => Promise<Dashboard>) {
  let current = nothing
  /** What is heard while the database is read happens again on top of what was read: folding twice is harmless. */
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
    hear(event: LiveEvent) {
      current = fold(current, event)
      if (reading) heard.push(event)
    },
    /** Reads it anew; a second wish while it is read makes it read once more, so that nothing older is shown. */
    refresh(): Promise<void> {
      if (reading) again = true
      return (reading ??= readAnew().finally(() => (reading = undefined)))
    },
  }
}

const fold = (dashboard: Dashboard, event: LiveEvent): Dashboard =>
  isDashboardEvent(event) ? evolveDashboard(dashboard, event) : dashboard
