export { fullPath } from './columns.ts'
export { exportRoutes } from './routes.ts'
export { clearWorkFolders } from './workFolder.ts'
