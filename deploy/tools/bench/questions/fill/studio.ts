import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { newest, oldest } from './calendar.ts'
import { padded, people, pick, plain } from './words.ts'

const projects = `aurora basalt cobalt delta ember falcon glacier harbor iris juniper kestrel lumen monarch nimbus onyx
  prism quartz raven solstice tundra`.split(/\s+/)
const departments = ['plates', 'comp', 'lighting', 'fx']
const crews = ['artists', 'lighting', 'production']
const mixed = ['mov', 'wav', 'aaf', 'psd', 'tif', 'ma', 'nk', 'json', 'txt', 'jpg', 'mp4', 'obj']
const artists = people.filter((_, i) => i % 33 === 0)

/** Maximum duration of a project in seconds. */
const maxProjectSeconds = 150 * 86_400

/**
 * Files of a studio volume: projects, shots, and versions of renders, each a long sequence of frames. Every twentieth
 * render is a delivery with the same frames as the previous one; some are in one flat folder.
 */
export const studio = (seed: number, files: number): Sql => sql`
  SELECT
    number AS f, intDiv(f, 240) AS unit, f % 240 AS frame,
    unit % 20 = 19 AS is_delivery, unit - is_delivery AS render, unit % 100 = 50 AS is_inbox,
    sipHash64(${seed}, 'render', toUInt64(render)) AS seed, sipHash64(seed, frame) AS h,
    intDiv(toUInt64(render), 12) AS shot, intDiv(shot, 40) AS project_number,
    sipHash64(${seed}, 'project', project_number) AS project_seed,
    concat(${pick(projects, sql`project_seed`)}, '_', ${padded(sql`project_number`, 3)}) AS project,
    concat('sq', ${padded(sql`intDiv(shot, 10) % 4 * 10 + 10`, 3)}) AS sequence,
    concat(sequence, '_sh', ${padded(sql`shot % 10 * 10 + 10`, 4)}) AS code,
    ${pick(departments, sql`intDiv(toUInt64(render) % 12, 3)`)} AS department,
    concat('v', ${padded(sql`render % 3 + 1`, 3)}) AS version,
    multiIf(is_inbox, '/inbox/',
      is_delivery, concat('/projects/', project, '/delivery/', code, '_', ${padded(sql`unit`, 6)}, '/'),
      concat('/projects/', project, '/sequences/', sequence, '/', code, '/', department, '/', version, '/')) AS place,
    seed % 12 = 0 AS is_mixed,
    multiIf(is_mixed, ${pick(mixed, sql`h`)}, department = 'plates', 'dpx', department = 'fx', 'vdb', 'exr') AS suffix,
    concat(if(is_inbox, concat(toString(unit), '_'), ''), code, '_', department, '_', version) AS stem,
    multiIf(frame = 239 AND seed % 4 = 0 AND NOT is_inbox, '.DS_Store', frame = 238 AND seed % 10 = 0, concat(stem, '.lock'),
      frame = 237 AND seed % 10 = 1, concat(stem, '_README'),
      concat(stem, if(is_mixed, '_take', ''), '.', ${padded(sql`frame + 1001`, 4)}, '.', suffix)) AS called,
    toInt64(multiIf(called LIKE '%.lock', 0, NOT called LIKE '%.____.%', 6148, suffix = 'dpx', 12746752,
      suffix = 'exr', 6000000 + seed % 34000000 + h % 900000, suffix = 'vdb', 40000000 + seed % 400000000 + h % 9000000,
      suffix IN ('mov', 'mp4'), 1000000000 + h % 40000000000, suffix IN ('psd', 'tif', 'wav'), 1000000 + h % 90000000,
      2000 + h % 900000)) AS bytes,
    toInt64(${plain(oldest)} + project_seed % ${plain(newest - maxProjectSeconds - oldest)} + seed % ${plain(maxProjectSeconds - 240 * 40)}
      + frame * 40) AS written,
    ${pick(artists, sql`seed`)} AS who, ${pick(crews, sql`project_seed`)} AS crew,
    place AS place_moved, concat('old_', called) AS called_moved
  FROM numbers_mt(${plain(files)})`
