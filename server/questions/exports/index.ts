export { fullPath, placeCells, placeHeads, storageName } from './columns.ts'
export { csvFile, momentCell } from './exportCsv.ts'
export { exportRoutes } from './routes.ts'
export { clearWorkFolders } from './workFolder.ts'
