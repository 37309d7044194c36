// Ten systems that companies have, as tables: what the stand-ins of the catalogue are made from.

export interface SystemRow {
  readonly name: string;
  readonly about: string;
  readonly things: readonly ThingRow[];
}

/** One kind of thing that a system keeps; each has the usual tools. */
export interface ThingRow {
  readonly one: string;
  readonly many: string;
  readonly about: string;
  /** Name, type and description of what can be set; "!" marks what is required. */
  readonly fields: readonly (readonly [name: string, type: FieldType, about: string])[];
}

export type FieldType =
  | "string"
  | "string!"
  | "number"
  | "integer"
  | "boolean"
  | "strings"
  | Choice;
export type Choice = readonly [string, string, ...string[]];

export const systems: readonly SystemRow[] = [
  {
    name: "chat",
    about: "Channels and messages of the company's chat",
    things: [
      {
        one: "message",
        many: "messages",
        about: "a message in a channel or thread",
        fields: [
          ["channel_id", "string!", "The channel to post in"],
          ["text", "string!", "The message's text; Markdown is allowed"],
          ["thread_id", "string", "Answers in this thread instead of the channel"],
          ["notify_channel", "boolean", "Whether everyone in the channel is notified"],
        ],
      },
      {
        one: "channel",
        many: "channels",
        about: "a channel that people of the workspace can join",
        fields: [
          ["name", "string!", "Lower-case name without spaces"],
          ["topic", "string", "What the channel is about, shown in its header"],
          ["visibility", ["public", "private"], "Who can find and join it"],
          ["member_ids", "strings", "People who are added at once"],
        ],
      },
    ],
  },
  {
    name: "wiki",
    about: "Pages and spaces of the knowledge base",
    things: [
      {
        one: "page",
        many: "pages",
        about: "a page of the knowledge base",
        fields: [
          ["space_id", "string!", "The space that the page belongs to"],
          ["title", "string!", "The page's title, unique in its space"],
          ["content", "string", "The body in Markdown"],
          ["parent_id", "string", "The page above it; the space's root unless given"],
          ["status", ["draft", "published", "archived"], "Whether readers see it"],
        ],
      },
      {
        one: "space",
        many: "spaces",
        about: "a space that groups pages of a team or subject",
        fields: [
          ["key", "string!", "Short key in capitals that links use"],
          ["name", "string!", "The space's name"],
          ["reader_groups", "strings", "Groups that may read it; everyone unless given"],
        ],
      },
    ],
  },
  {
    name: "pipelines",
    about: "Builds, deployments and their logs",
    things: [
      {
        one: "pipeline-run",
        many: "pipeline-runs",
        about: "one run of a build pipeline",
        fields: [
          ["repository", "string!", "Owner and name, such as acme/site"],
          ["branch", "string!", "The branch or tag to build"],
          ["variables", "strings", "Variables of the run, each as NAME=value"],
          ["priority", ["low", "normal", "high"], "Where it stands in the queue"],
        ],
      },
      {
        one: "deployment",
        many: "deployments",
        about: "a release of a build to an environment",
        fields: [
          ["environment", ["staging", "production"], "Where it goes"],
          ["build_id", "string!", "The build to release"],
          ["strategy", ["rolling", "blue-green", "canary"], "How traffic moves over"],
          ["percentage", "integer", "How much traffic a canary gets, from 1 to 100"],
        ],
      },
    ],
  },
  {
    name: "helpdesk",
    about: "Tickets and customers of the support team",
    things: [
      {
        one: "ticket",
        many: "tickets",
        about: "a customer's request to the support team",
        fields: [
          ["subject", "string!", "One line that says what it is about"],
          ["description", "string!", "The customer's words"],
          ["priority", ["low", "normal", "high", "urgent"], "How fast it must be answered"],
          ["requester_email", "string", "Who asked"],
          ["tags", "strings", "Words for reports and automation"],
        ],
      },
      {
        one: "macro",
        many: "macros",
        about: "a prepared answer that agents apply to tickets",
        fields: [
          ["title", "string!", "How agents find it"],
          ["reply", "string!", "The text that is sent; {{placeholders}} are filled in"],
          ["set_status", ["open", "pending", "solved"], "The ticket's status afterwards"],
        ],
      },
    ],
  },
  {
    name: "billing",
    about: "Invoices, subscriptions and payments",
    things: [
      {
        one: "invoice",
        many: "invoices",
        about: "an invoice to a customer",
        fields: [
          ["customer_id", "string!", "Who pays"],
          ["amount", "number", "The total in the currency's main unit"],
          ["currency", "string", "Three letters of ISO 4217, such as EUR"],
          ["due_date", "string", "Date in the form YYYY-MM-DD"],
          ["auto_send", "boolean", "Whether it is sent as soon as it is final"],
        ],
      },
      {
        one: "subscription",
        many: "subscriptions",
        about: "a customer's recurring plan",
        fields: [
          ["customer_id", "string!", "Who subscribes"],
          ["plan_id", "string!", "The plan and its price"],
          ["seats", "integer", "How many people may use it"],
          ["trial_days", "integer", "Days before the first payment"],
        ],
      },
    ],
  },
  {
    name: "monitoring",
    about: "Dashboards, alerts and incidents",
    things: [
      {
        one: "alert",
        many: "alerts",
        about: "a rule that notifies people when a metric leaves its range",
        fields: [
          ["metric", "string!", "The metric's full name"],
          ["threshold", "number", "The value at which it fires"],
          ["comparison", ["above", "below"], "On which side of the threshold it fires"],
          ["window_minutes", "integer", "How long the value must stay there"],
          ["notify", "strings", "Channels and people that are told"],
        ],
      },
      {
        one: "incident",
        many: "incidents",
        about: "an outage that people work on",
        fields: [
          ["title", "string!", "What users notice"],
          ["severity", ["sev1", "sev2", "sev3"], "How bad it is"],
          ["commander", "string", "Who leads the work"],
          ["affected_services", "strings", "Services that are down or slow"],
        ],
      },
    ],
  },
  {
    name: "storage",
    about: "Buckets and objects of the object store",
    things: [
      {
        one: "bucket",
        many: "buckets",
        about: "a bucket that holds objects",
        fields: [
          ["name", "string!", "Globally unique name"],
          ["region", "string!", "Where its data is kept"],
          ["versioning", "boolean", "Whether overwritten objects are kept"],
          ["retention_days", "integer", "Days before an object may be deleted"],
        ],
      },
      {
        one: "object",
        many: "objects",
        about: "an object in a bucket with its metadata",
        fields: [
          ["bucket", "string!", "The bucket's name"],
          ["key", "string!", "The object's key"],
          ["content_type", "string", "Its MIME type"],
          ["storage_class", ["standard", "infrequent", "archive"], "What keeping it costs"],
        ],
      },
    ],
  },
  {
    name: "hiring",
    about: "Jobs, candidates and interviews",
    things: [
      {
        one: "candidate",
        many: "candidates",
        about: "a person who applies for a job",
        fields: [
          ["name", "string!", "Full name"],
          ["email", "string!", "Where to write to"],
          ["job_id", "string", "The job applied for"],
          ["stage", ["applied", "screening", "interview", "offer", "hired"], "How far it got"],
          ["source", "string", "Where the candidate came from"],
        ],
      },
      {
        one: "interview",
        many: "interviews",
        about: "an interview with its interviewers and scorecard",
        fields: [
          ["candidate_id", "string!", "Who is interviewed"],
          ["interviewers", "strings", "Who asks"],
          ["format", ["phone", "video", "on-site"], "How it is held"],
          ["length_minutes", "integer", "How long it takes"],
        ],
      },
    ],
  },
  {
    name: "shipping",
    about: "Shipments, labels and warehouses",
    things: [
      {
        one: "shipment",
        many: "shipments",
        about: "a parcel on its way to a customer",
        fields: [
          ["order_id", "string!", "The order it belongs to"],
          ["carrier", ["dhl", "ups", "fedex"], "Who carries it"],
          ["weight_grams", "integer", "What it weighs"],
          ["insured_value", "number", "What it is insured for"],
          ["signature_required", "boolean", "Whether somebody must sign"],
        ],
      },
      {
        one: "warehouse",
        many: "warehouses",
        about: "a place that goods are sent from",
        fields: [
          ["name", "string!", "The warehouse's name"],
          ["country", "string!", "Two letters of ISO 3166"],
          ["opening_hours", "string", "When parcels can be collected"],
        ],
      },
    ],
  },
  {
    name: "campaigns",
    about: "Newsletters, audiences and their figures",
    things: [
      {
        one: "newsletter",
        many: "newsletters",
        about: "a newsletter that goes to an audience",
        fields: [
          ["subject", "string!", "The subject line"],
          ["audience_id", "string!", "Who gets it"],
          ["html", "string", "The body as HTML"],
          ["send_at", "string", "When it is sent, RFC 3339; a draft unless given"],
          ["track_opens", "boolean", "Whether opening it is counted"],
        ],
      },
      {
        one: "audience",
        many: "audiences",
        about: "a list of people who agreed to be written to",
        fields: [
          ["name", "string!", "The list's name"],
          ["filter", "string", "An expression over contact fields"],
          ["double_opt_in", "boolean", "Whether new addresses must confirm"],
        ],
      },
    ],
  },
];
