import {
  changeOwnEmail as changeOwnEmailCall,
  notifications,
  sendTestEmail as sendTestEmailCall,
} from '#events/notifications.ts'
import { crudRoutes } from '#server/platform/crudRoutes.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { createNotification, removeNotification, updateNotification } from './changeNotification.ts'
import { changeOwnEmail } from './changeOwnEmail.ts'
import { listNotifications } from './listNotifications.ts'
import { sendTestEmail } from './sendTestEmail.ts'

export const notificationRoutes = (platform: Platform) => {
  const { db, live } = platform
  const tell = <Result>(result: Result): Result => {
    wakeFollowers()
    live({ type: 'changed', topics: ['notifications'] })
    return result
  }
  return [
    ...crudRoutes(notifications, {
      list: (query, { id }) => listNotifications(db, id, query),
      create: (draft, by) => createNotification(db, draft, by).then(tell),
      update: (id, draft, by) => updateNotification(db, id, draft, by).then(tell),
      remove: (id, by) => removeNotification(db, id, by).then(tell),
    }),
    route(changeOwnEmailCall, ({ body }, by) => changeOwnEmail(db, body.email, by).then(tell)),
    route(sendTestEmailCall, (_, { id }) => sendTestEmail(platform, id)),
  ]
}
