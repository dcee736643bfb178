/** Why a task's signal is aborted: the server cancelled it. */
export class Cancelled extends Error {}

/** Why a task's signal is aborted: the agent stops, and the task is for its next start. */
export class Stopping extends Error {}

/** Ends a try of a task that is to come again from the queue. */
export class ComeAgain extends Error {}
