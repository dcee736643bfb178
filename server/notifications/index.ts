export { tellUser } from './tellUser.ts'
