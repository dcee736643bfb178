import type { Request, RequestHandler, Response } from 'express'
import type { Config } from '#server/platform/config.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type PublicPlace, publicPlace, withoutBase } from './publicPlace.ts'

/** Determines the product's place for each request, and removes the base path from its URL. */
export const setPlace =
  (deps: { db: Db; config: Config }): RequestHandler =>
  async (req, res, next) => {
    const place = await publicPlace(req, deps)
    res.locals['place'] = place
    req.url = withoutBase(req.url, place.base)
    next()
  }

/** The product's place as this request's browser sees it. */
export const placeIn = (req: Request, res: Response): PublicPlace =>
  (res.locals['place'] as PublicPlace | undefined) ?? {
    origin: '',
    base: '',
    requested: '',
    isSecure: req.secure,
  }
