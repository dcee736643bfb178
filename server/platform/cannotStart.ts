/**
 * A start that can't succeed until someone changes something: an invalid setting, a data folder that is in use or belongs
 * to a newer version. Every other failure of a start is tried again, because it may end by itself, such as a full disk.
 */
export class CannotStart extends Error {}
