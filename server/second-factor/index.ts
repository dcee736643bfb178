export { checkCode, hasSecondFactor } from './checkCode.ts'
export { secondFactorRoutes } from './routes.ts'
