export { notificationRoutes } from './routes.ts'
export { startNotifications } from './startNotifications.ts'
export { readWebhook, sealWebhook, sealWebhooks } from './webhookAddress.ts'
export { notifyAddress, notifyUser, notifyWebhook } from './notifyUser.ts'
