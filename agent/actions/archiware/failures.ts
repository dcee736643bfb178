import { P5Busy, P5Failed } from '../../systems/archiware/failures.ts'
import { ActionFailed, SystemAway } from '../action.ts'

/** Translates failures of the client: those that may pass are `SystemAway`, others end the action. */
export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof P5Busy) throw new SystemAway(error.message)
    if (error instanceof P5Failed) throw new ActionFailed(error.message)
    throw error
  }
}
