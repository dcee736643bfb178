/**
 * The regions of stores that speak S3, as forms offer them. A code that is not here may be typed: providers open new ones.
 *
 * As of November 2026. Sources: endpoint partitions of the AWS SDK for JavaScript v3; Backblaze, "Call the S3-Compatible API"; rclone's
 * list of Wasabi's regions; regions of Oracle's SDK for TypeScript (commercial realm). Backblaze gives only the part of the
 * country as a place; places of Oracle are the cities of its codes.
 */

/** A region's code, which is part of the endpoint, and where it is. */
export type Region = { readonly code: string; readonly place: string }

const regions = (places: Record<string, string>): readonly Region[] =>
  Object.entries(places).map(([code, place]) => ({ code, place }))

const amazon = regions({
  'us-east-1': 'N. Virginia',
  'us-east-2': 'Ohio',
  'us-west-1': 'N. California',
  'us-west-2': 'Oregon',
  'ca-central-1': 'Canada Central',
  'ca-west-1': 'Calgary',
  'mx-central-1': 'Mexico',
  'sa-east-1': 'São Paulo',
  'eu-central-1': 'Frankfurt',
  'eu-central-2': 'Zurich',
  'eu-west-1': 'Ireland',
  'eu-west-2': 'London',
  'eu-west-3': 'Paris',
  'eu-north-1': 'Stockholm',
  'eu-south-1': 'Milan',
  'eu-south-2': 'Spain',
  'il-central-1': 'Tel Aviv',
  'me-central-1': 'UAE',
  'me-south-1': 'Bahrain',
  'af-south-1': 'Cape Town',
  'ap-east-1': 'Hong Kong',
  'ap-east-2': 'Taipei',
  'ap-northeast-1': 'Tokyo',
  'ap-northeast-2': 'Seoul',
  'ap-northeast-3': 'Osaka',
  'ap-south-1': 'Mumbai',
  'ap-south-2': 'Hyderabad',
  'ap-southeast-1': 'Singapore',
  'ap-southeast-2': 'Sydney',
  'ap-southeast-3': 'Jakarta',
  'ap-southeast-4': 'Melbourne',
  'ap-southeast-5': 'Malaysia',
  'ap-southeast-6': 'New Zealand',
  'ap-southeast-7': 'Thailand',
})

const backblaze = regions({
  'us-west-000': 'US West',
  'us-west-001': 'US West',
  'us-west-002': 'US West',
  'us-west-004': 'US West',
  'us-east-005': 'US East',
  'eu-central-003': 'EU Central',
  'ca-east-006': 'Canada East',
})

const wasabi = regions({
  'us-east-1': 'N. Virginia',
  'us-east-2': 'N. Virginia',
  'us-central-1': 'Texas',
  'us-west-1': 'Oregon',
  'ca-central-1': 'Toronto',
  'eu-central-1': 'Amsterdam',
  'eu-central-2': 'Frankfurt',
  'eu-west-1': 'London',
  'eu-west-2': 'Paris',
  'eu-south-1': 'Milan',
  'ap-northeast-1': 'Tokyo',
  'ap-northeast-2': 'Osaka',
  'ap-southeast-1': 'Singapore',
  'ap-southeast-2': 'Sydney',
})

const oracle = regions({
  'us-ashburn-1': 'Ashburn',
  'us-chicago-1': 'Chicago',
  'us-phoenix-1': 'Phoenix',
  'us-saltlake-2': 'Salt Lake City',
  'us-sanjose-1': 'San Jose',
  'ca-montreal-1': 'Montreal',
  'ca-toronto-1': 'Toronto',
  'mx-monterrey-1': 'Monterrey',
  'mx-queretaro-1': 'Querétaro',
  'sa-bogota-1': 'Bogotá',
  'sa-santiago-1': 'Santiago',
  'sa-saopaulo-1': 'São Paulo',
  'sa-valparaiso-1': 'Valparaíso',
  'sa-vinhedo-1': 'Vinhedo',
  'uk-cardiff-1': 'Newport',
  'uk-london-1': 'London',
  'eu-amsterdam-1': 'Amsterdam',
  'eu-frankfurt-1': 'Frankfurt',
  'eu-madrid-1': 'Madrid',
  'eu-marseille-1': 'Marseille',
  'eu-milan-1': 'Milan',
  'eu-paris-1': 'Paris',
  'eu-stockholm-1': 'Stockholm',
  'eu-zurich-1': 'Zurich',
  'il-jerusalem-1': 'Jerusalem',
  'me-abudhabi-1': 'Abu Dhabi',
  'me-dubai-1': 'Dubai',
  'me-jeddah-1': 'Jeddah',
  'me-riyadh-1': 'Riyadh',
  'af-johannesburg-1': 'Johannesburg',
  'ap-chuncheon-1': 'Chuncheon',
  'ap-hyderabad-1': 'Hyderabad',
  'ap-melbourne-1': 'Melbourne',
  'ap-mumbai-1': 'Mumbai',
  'ap-osaka-1': 'Osaka',
  'ap-seoul-1': 'Seoul',
  'ap-singapore-1': 'Singapore',
  'ap-singapore-2': 'Singapore',
  'ap-sydney-1': 'Sydney',
  'ap-tokyo-1': 'Tokyo',
})

/** Stores that speak S3, by the type of their bucket. */
export const s3Types = ['S3', 'ORACLE_OBJECT_STORAGE', 'BACKBLAZE_B2', 'WASABI', 'OTHER'] as const
export type S3Type = (typeof s3Types)[number]
export const speaksS3 = (type: string): type is S3Type => (s3Types as readonly string[]).includes(type)

/** Providers whose old versions can be counted. */
export const hasVersions = (type: string): boolean => speaksS3(type) || type === 'AZURE'

/** Providers whose objects agents can read in parts, for the data in media files. */
export const hasMedia = hasVersions

/** The regions of each; a Custom S3 has none to choose from. */
export const regionsOf = {
  S3: amazon,
  BACKBLAZE_B2: backblaze,
  WASABI: wasabi,
  ORACLE_OBJECT_STORAGE: oracle,
  OTHER: [],
} as const satisfies Record<S3Type, readonly Region[]>

/** The regions to choose from at a provider of any type; none where it has no regions. */
export const regionsAt = (type: string): readonly Region[] =>
  (regionsOf as Partial<Record<string, readonly Region[]>>)[type] ?? []
