export { notificationRoutes } from './routes.ts'
export { startNotifications } from './startNotifications.ts'
export { tellUser } from './tellUser.ts'
