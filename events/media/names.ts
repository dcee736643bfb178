import { type MediaField, mediaFields } from './fields.ts'

/** Prefix of fields for metadata in searches and lists: `metadata.camera`, `metadata.video.codec`. */
export const metadataPrefix = 'metadata.'
/** A media field as searches, sorts and downloads name it. */
export type MediaName = `${typeof metadataPrefix}${MediaField}`
type NumberField = { [F in MediaField]: (typeof mediaFields)[F] extends 'number' ? F : never }[MediaField]
export type MediaNumberName = `${typeof metadataPrefix}${NumberField}`

export const mediaNames = (Object.keys(mediaFields) as MediaField[]).map((field): MediaName => `metadata.${field}`)

export const mediaFieldOf = (name: MediaName) => name.slice(metadataPrefix.length) as MediaField
export const isMediaName = (name: string): name is MediaName =>
  name.startsWith(metadataPrefix) && Object.hasOwn(mediaFields, name.slice(metadataPrefix.length))

/** True for a media field whose values are numbers. */
export const isMediaNumber = (name: string): name is MediaNumberName =>
  isMediaName(name) && mediaFields[mediaFieldOf(name)] === 'number'
export const mediaNumberNames = mediaNames.filter(isMediaNumber)
