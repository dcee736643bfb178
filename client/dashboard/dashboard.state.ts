import { proxy, ref } from 'valtio'
import { type Dashboard, evolveDashboard, isOfDashboard } from '#events/dashboard.ts'
import { follow } from '../app/live/live.state.ts'

/** The newest dashboard as the server pushes it, and which storages its figures leave out. */
export const dashboardState = proxy<{ newest: Dashboard | undefined; leftOut: number[] }>({
  newest: undefined,
  leftOut: [],
})

/** Folds what happens into the dashboard for as long as it is shown, with the function that the server folds with. */
export const followDashboard = (): (() => void) =>
  follow('dashboard', (message) => {
    if (message.type === 'state') {
      if (message.state && 'storages' in message.state) noteDashboard(message.state)
      return
    }
    let dashboard = dashboardState.newest
    for (const event of message.events) {
      if (dashboard && isOfDashboard(event)) dashboard = evolveDashboard(dashboard, event)
    }
    if (dashboard) noteDashboard(dashboard)
  })

export const noteDashboard = (dashboard: Dashboard): void => {
  dashboardState.newest = ref(dashboard)
}

export const chooseStorages = (volumeIds: number[], isChosen: boolean): void => {
  const others = dashboardState.leftOut.filter((id) => !volumeIds.includes(id))
  dashboardState.leftOut = isChosen ? others : [...others, ...volumeIds]
}
