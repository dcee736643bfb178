export { userRoutes } from './routes.ts'
export { type Described, inOrder, isNameTaken, streamOf } from './userRow.ts'
