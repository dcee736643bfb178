export { userRoutes } from './routes.ts'
export { type Described, inOrder, isNameTaken, lockUser, streamOf } from './userRow.ts'
