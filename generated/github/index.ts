// Generated from spec/github/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as branches } from "./branches.ts";
import { entity as code } from "./code.ts";
import { entity as comments } from "./comments.ts";
import { entity as commits } from "./commits.ts";
import { entity as directoryContent } from "./directory_content.ts";
import { entity as discussions } from "./discussions.ts";
import { facts } from "./facts.ts";
import { entity as fileContent } from "./file_content.ts";
import { entity as gists } from "./gists.ts";
import { entity as issues } from "./issues.ts";
import { entity as labels } from "./labels.ts";
import { entity as milestones } from "./milestones.ts";
import { entity as notifications } from "./notifications.ts";
import { entity as orgRepositories } from "./org_repositories.ts";
import { entity as organizations } from "./organizations.ts";
import { entity as prComments } from "./pr_comments.ts";
import { entity as projectItems } from "./project_items.ts";
import { entity as projects } from "./projects.ts";
import { entity as pullRequests } from "./pull_requests.ts";
import { entity as releases } from "./releases.ts";
import { entity as repositories } from "./repositories.ts";
import { entity as reviews } from "./reviews.ts";
import { entity as stargazers } from "./stargazers.ts";
import { entity as tags } from "./tags.ts";
import { entity as teams } from "./teams.ts";
import { entity as users } from "./users.ts";
import { entity as viewer } from "./viewer.ts";
import { entity as viewerRepositories } from "./viewer_repositories.ts";
import { entity as webhookDeliveries } from "./webhook_deliveries.ts";
import { entity as webhooks } from "./webhooks.ts";
import { entity as workflowJobs } from "./workflow_jobs.ts";
import { entity as workflowRuns } from "./workflow_runs.ts";

/** Repositories, issues, pull requests, discussions, projects, people and files of a GitHub account. Reads go through GitHub's GraphQL API, writes through its REST API. For GitHub Enterprise Server, set `GITHUB_API_URL` to `https://HOST/api/v3`. */
export const github: Connector = {
  ...facts,
  entities: {
    branches,
    code,
    comments,
    commits,
    directory_content: directoryContent,
    discussions,
    file_content: fileContent,
    gists,
    issues,
    labels,
    milestones,
    notifications,
    org_repositories: orgRepositories,
    organizations,
    pr_comments: prComments,
    project_items: projectItems,
    projects,
    pull_requests: pullRequests,
    releases,
    repositories,
    reviews,
    stargazers,
    tags,
    teams,
    users,
    viewer,
    viewer_repositories: viewerRepositories,
    webhook_deliveries: webhookDeliveries,
    webhooks,
    workflow_jobs: workflowJobs,
    workflow_runs: workflowRuns,
  },
};
