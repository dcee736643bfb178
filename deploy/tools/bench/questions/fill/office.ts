import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { newest, oldest } from './calendar.ts'
import { padded, people, pick, plain } from './words.ts'

const departments = 'Accounting,Board,Construction,Export,Facilities,Human Resources,Legal,Marketing'.split(',')
const teams = ['Archive 2', 'Berlin', 'Domestic', 'International', 'Madrid', 'Projects', 'Team A', 'Team B']
const clients = `Albrecht Bergmann Castillo Dupont Eriksson Fontana Grünwald Hoffmann Ibsen Jørgensen Kowalski Lindqvist
  Moreau Nakamura O'Brien Petrov Quint Rasmussen Silva Thomsen`.split(/\s+/)
const folders = ['', 'Drafts/', 'Drafts/Old/', 'Final/', 'Images/', 'Images/Old/2019/Copy of Images/']
const subjects = 'Annual Budget Contract Customer Internal Meeting Offer Project Quarterly Tax'.split(' ')
const kinds = ['agenda', 'analysis', 'invoice', 'letter', 'minutes', 'notes', 'overview', 'plan', 'report', 'review']
const pooled = ['Letterhead', 'Logo', 'Price list', 'Signature', 'Template', 'Terms and conditions']
const suffixes = `docx docx docx xlsx xlsx pdf pdf pdf pptx msg txt csv zip JPG html`.split(' ')
const pictures = ['jpg', 'jpg', 'jpg', 'JPG', 'png', 'png', 'tif', 'heic', 'mp4']

/** Number of files per client; the ranges are upper limits for each of its folders. */
const perClient = 64

/**
 * Files of an office volume: departments, teams, years and clients, with folders of few small files. Every tenth file
 * is from a pool shared by all office volumes.
 */
export const office = (seed: number, files: number): Sql => sql`
  SELECT
    number AS f, intDiv(f, 4) AS unit, intDiv(f, ${plain(perClient)}) AS client, f % ${plain(perClient)} AS place_in,
    sipHash64(${seed}, 'client', client) AS client_seed,
    multiIf(place_in < 4, 1, place_in < 10, 2, place_in < 14, 3, place_in < 22, 4, place_in < 59, 5, 6) AS drawer,
    ${pick(people, sql`intDiv(client_seed, 7)`)} AS who, ${pick(departments, sql`client_seed`)} AS crew,
    concat(
      if(client_seed % 5 = 0, concat('/Users/', who, '/Documents/'),
        concat('/', crew, '/', ${pick(teams, sql`intDiv(client_seed, 100)`)}, '/', toString(2016 + client_seed % 11), '/')),
      ${pick(clients, sql`client_seed`)}, ' ', toString(client), '/', arrayElement(${folders}, drawer)) AS place,
    place_in % 10 = 3 AS is_pooled,
    sipHash64(${seed}, 'file', f) AS own,
    own % ${plain(Math.max(Math.floor(files / perClient / 2), 1))} * ${plain(perClient)} + place_in AS in_pool,
    if(is_pooled, sipHash64('pool', in_pool), own) AS h,
    if(drawer >= 5, ${pick(pictures, sql`h`)}, ${pick(suffixes, sql`h`)}) AS suffix,
    multiIf(is_pooled, concat(${pick(pooled, sql`h`)}, ' ', toString(in_pool), '.', suffix),
      h % 50 = 0, concat('.~lock ', toString(place_in)),
      h % 50 = 1, concat('NOTES-', toString(place_in)),
      drawer >= 5, concat('IMG_', ${padded(sql`h % 100 * 100 + place_in`, 4)}, '.', suffix),
      concat(${pick(subjects, sql`intDiv(h, 20)`)}, ' ', ${pick(kinds, sql`intDiv(h, 200)`)}, ' ', toString(place_in), '.',
        suffix)) AS called,
    toInt64(multiIf(h % 50 = 0 AND NOT is_pooled, 0, suffix IN ('mp4', 'zip'), 10000000 + h % 900000000,
      bitShiftLeft(toUInt64(1024), h % 13) + intDiv(h, 13) % 1024)) AS bytes,
    toInt64(${plain(newest)} - intDiv((h % 100000) * (intDiv(h, 100000) % 100000) * ${plain(newest - oldest)},
      10000000000)) AS written,
    concat(place, 'Archive/') AS place_moved, called AS called_moved
  FROM numbers_mt(${plain(files)})`
