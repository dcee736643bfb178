import {
  changeOwnEmail as changeOwnEmailCall,
  notifications,
  sendTestEmail as sendTestEmailCall,
} from '#events/notifications/calls.ts'
import { channels, mailState } from '#events/notifications/channels.ts'
import { mailServer } from '#server/access/configurations/index.ts'
import { crudRoutes } from '#server/platform/crud/crudRoutes.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { createNotification, removeNotification, updateNotification } from './changeNotification.ts'
import { changeOwnEmail } from './changeNotification.ts'
import { createChannel, listChannels, removeChannel, testChannel, updateChannel } from './channels/channels.ts'
import { addressRoutes } from './emails/routes.ts'
import { listNotifications } from './listNotifications.ts'
import { signingSecret, testWebhook } from '#events/notifications/webhooks.ts'
import { sendTestEmail, sendTestWebhook } from './deliver.ts'
import { signingKey } from './webhookAddress.ts'

export const notificationRoutes = (platform: Platform) => [
  ...addressRoutes(platform),
  ...crudRoutes(platform, notifications, {
    topics: ['notifications'],
    list: (query, { id }) => listNotifications(platform, id, query),
    create: (change, draft) => createNotification(platform.config, change, draft),
    update: (change, id, draft) => updateNotification(platform.config, change, id, draft),
    remove: (change, id) => removeNotification(platform.config, change, id),
  }),
  ...crudRoutes(platform, channels, {
    topics: ['channels'],
    list: (query, { id }) => listChannels(platform, id, query),
    create: (change, draft) => createChannel(platform.config, change, draft),
    update: (change, id, draft) => updateChannel(platform.config, change, id, draft),
    remove: (change, id) => removeChannel(platform.config, change, id),
  }),
  route(channels.test, ({ body }, by) => testChannel(platform, body, by)),
  route(mailState, async () => ({ isSetUp: (await mailServer(platform)) !== undefined })),
  route(changeOwnEmailCall, ({ body }, by) =>
    change(platform, by, ['users', 'notifications'], (change) => changeOwnEmail(change, body.email)),
  ),
  route(testWebhook, ({ body }, { roles }) => sendTestWebhook(body, roles, platform.config)),
  route(signingSecret, async ({ body }) => ({
    secret: `whsec_${(await signingKey(platform.config, body.webhook)).toString('base64')}`,
  })),
  route(sendTestEmailCall, (_, { id }) => sendTestEmail(platform, id)),
]
