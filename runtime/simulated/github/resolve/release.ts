import { connectionOf, type PageArguments } from "../../../simulator/graphql/connection.ts";
import type { Context, Fields } from "../resolver.ts";
import { peel, tag } from "../world/head.ts";
import { webPath } from "../world/path.ts";
import type { Release, ReleaseAsset } from "../world/repository.ts";
import { html, resourcePath, url } from "./shared.ts";

const release: Fields = {
  url,
  resourcePath,
  descriptionHTML: (record: Release) => html(record.description),
  shortDescriptionHTML: (record: Release) => html(record.description),
  isLatest: (record: Release) => record.repository.releases.filter((one) => !one.isDraft && !one.isPrerelease).at(-1) === record,
  tag: (record: Release) => tag(record.repository, record.tagName),
  tagCommit: (record: Release) => peel(tag(record.repository, record.tagName)?.target),
  releaseAssets: (record: Release, args: PageArguments & { name?: string }, context: Context, info) => {
    const download = (asset: ReleaseAsset) =>
      `${context.web}${webPath(record.repository)}/releases/download/${encodeURIComponent(record.tagName)}/${encodeURIComponent(asset.name)}`;
    const found = record.assets
      .filter((asset) => args.name === undefined || asset.name === args.name)
      .map((asset) => ({ ...asset, release: record, downloadUrl: download(asset), url: download(asset) }));
    return connectionOf(found, args, info, { parent: record.id });
  },
};

export const releaseTables = { Release: release };
